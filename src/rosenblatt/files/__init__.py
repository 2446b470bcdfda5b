"""Files into rows and labels, and back; one reader a format, and a slow one to check them."""
