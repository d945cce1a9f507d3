// Longitude and latitude on maps of China: GCJ-02, which shifts WGS 84 by up to 700 m. Pure.
export type CoordinateSystem = 'wgs84' | 'gcj02'
type Position = { longitude: number; latitude: number }

/** Krasovsky 1940. */
const axis = 6_378_245
const eccentricity = 0.006693421622965943
const { PI, sin, cos, sqrt, abs } = Math

const isOutside = ({ longitude, latitude }: Position) =>
  longitude < 72.004 || longitude > 137.8347 || latitude < 0.8293 || latitude > 55.8271

const waves = (x: number) => ((20 * sin(6 * x * PI) + 20 * sin(2 * x * PI)) * 2) / 3
const offset = ({ longitude, latitude }: Position): Position => {
  if (isOutside({ longitude, latitude })) return { longitude: 0, latitude: 0 }
  const [x, y] = [longitude - 105, latitude - 35]
  const north =
    -100 +
    2 * x +
    3 * y +
    0.2 * y * y +
    0.1 * x * y +
    0.2 * sqrt(abs(x)) +
    waves(x) +
    ((20 * sin(y * PI) + 40 * sin((y / 3) * PI)) * 2) / 3 +
    ((160 * sin((y / 12) * PI) + 320 * sin((y * PI) / 30)) * 2) / 3
  const east =
    300 +
    x +
    2 * y +
    0.1 * x * x +
    0.1 * x * y +
    0.1 * sqrt(abs(x)) +
    waves(x) +
    ((20 * sin(x * PI) + 40 * sin((x / 3) * PI)) * 2) / 3 +
    ((150 * sin((x / 12) * PI) + 300 * sin((x / 30) * PI)) * 2) / 3
  const radians = (latitude / 180) * PI
  const magic = 1 - eccentricity * sin(radians) ** 2
  return {
    latitude: (north * 180) / (((axis * (1 - eccentricity)) / (magic * sqrt(magic))) * PI),
    longitude: (east * 180) / ((axis / sqrt(magic)) * cos(radians) * PI),
  }
}

/** The place of a stored position on a map of this system. */
export const shownAt = (at: Position, system: CoordinateSystem = 'wgs84'): Position => {
  if (system === 'wgs84') return at
  const by = offset(at)
  return { longitude: at.longitude + by.longitude, latitude: at.latitude + by.latitude }
}

/** The position of a place on a map of this system; accurate to a centimetre. */
export const storedAt = (shown: Position, system: CoordinateSystem = 'wgs84'): Position => {
  let at = shown
  for (let i = 0; i < 6; i++) {
    const { longitude, latitude } = shownAt(at, system)
    at = { longitude: at.longitude + shown.longitude - longitude, latitude: at.latitude + shown.latitude - latitude }
  }
  return at
}
