"""The physical table: shapes, terrain, measures, sight, paths and templates. It knows no rule of any book."""
