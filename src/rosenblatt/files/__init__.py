"""Files: read into rows and labels, and written from them; one reader a format, and a slow second one to check them."""
