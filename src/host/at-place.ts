/** Whether a real path is one of these or lies below one. */
export function isAtPlace(real: string, places: readonly string[]): boolean {
  return places.some((place) => isBelow(real, place));
}

/** The same, and for a directory also where it is on the way to one of them. */
export function isOnTheWay(real: string, places: readonly string[]): boolean {
  return places.some((place) => isBelow(real, place) || isBelow(place, real));
}

function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith('/') ? directory : `${directory}/`);
}
