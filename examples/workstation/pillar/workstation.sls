workstation:
  packages: [git, vim, tmux, ripgrep]
  git:
    user.name: Ada Example
    user.email: ada@example.org
