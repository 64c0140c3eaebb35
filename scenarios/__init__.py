"""What is said and asked: the scenario library, its loader, generators and importers."""
