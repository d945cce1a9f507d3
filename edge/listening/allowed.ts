// The addresses and ports on which this gateway may listen, from its own setting EDGE_LISTEN: none unless its owner sets it.

/** Ports of an address of this machine. */
export type Place = { host: string; from: number; to: number }

/** Parses `9000-9010, 10.0.0.5:7000`; undefined if invalid. */
export const readPlaces = (text: string): Place[] | undefined => {
  const places = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part): Place | undefined => {
      const [, host, from, to = from] = /^(?:(\[[0-9A-Fa-f:]+\]|[\w.-]+):)?(\d{1,5})(?:-(\d{1,5}))?$/.exec(part) ?? []
      const [low, high] = [Number(from), Number(to)]
      if (from === undefined || low < 1 || high > 65_535 || low > high) return undefined
      return { host: host?.replace(/[[\]]/g, '') ?? '0.0.0.0', from: low, to: high }
    })
  return places.every((place) => place !== undefined) ? places : undefined
}

/** The address to listen on for a port; undefined if not allowed. */
export const hostOf = (places: readonly Place[], port: number) => places.find(({ from, to }) => port >= from && port <= to)?.host
