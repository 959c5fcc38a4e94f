redis-cli set old 1; redis-cli set old-a 1; redis-cli set old-b 1; redis-cli set key before
