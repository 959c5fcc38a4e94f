"""Functions of Salt by import: see salt.Bridged."""
