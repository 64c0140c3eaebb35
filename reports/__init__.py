"""What a person or a CI system looks at, made from finished records only."""
