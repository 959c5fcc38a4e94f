"""What Salt once carried along."""
