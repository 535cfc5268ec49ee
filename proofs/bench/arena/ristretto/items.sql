-- The table of the profiles async-db and crud, with 10,000 items: psql "$DATABASE_URL" -f items.sql
CREATE TABLE items (
  id serial PRIMARY KEY,
  name text NOT NULL,
  category text NOT NULL,
  price integer NOT NULL,
  quantity integer NOT NULL,
  active boolean NOT NULL DEFAULT true,
  tags jsonb NOT NULL DEFAULT '[]',
  rating_score integer NOT NULL DEFAULT 0,
  rating_count integer NOT NULL DEFAULT 0
);
CREATE INDEX ON items (price);
CREATE INDEX ON items (category, id);
INSERT INTO items (name, category, price, quantity, active, tags, rating_score, rating_count)
SELECT 'Product ' || n, (ARRAY['tools', 'books', 'garden', 'music'])[1 + n % 4], 1 + n % 500, n % 90, n % 3 > 0,
  '["new", "sale"]', n % 5, n % 700
FROM generate_series(1, 10000) AS n;
ANALYZE items;
