"""The commands: one file each, a few lines between the rooms; nothing imports them."""
