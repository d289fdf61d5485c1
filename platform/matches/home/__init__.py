"""Games on an author's own machine, judged as on the site: `peck play`, `peck gate`, `peck replay`. No Django."""
