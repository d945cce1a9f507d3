import { middles, type Part, type PictureSymbol, symbol } from '../symbol.ts'

const size = [40, 40] as const
const round = 'M20 0A20 20 0 1 1 20 40A20 20 0 1 1 20 0Z'
const box = 'M0 0H40V40H0Z'
const ports = middles(size, 'left', 'right', 'top', 'bottom').map((port) => ({ ...port, line: 'signal' as const }))
/** Letters such as TIC stand in the middle: ISA-5.1, table 4.1. */
const bubble = (name: string, outline: string, ...lines: readonly Part[]) =>
  symbol(`instrument.${name}`, size, [{ role: 'body', d: outline }, ...lines], ports, [20, lines.length ? 12 : 20, lines.length ? 10 : 12])
const panel: Part = { role: 'fine', d: 'M0 20H40' }
const ring: Part = { role: 'body', d: round }

/** Instruments and functions by where they are: ISA-5.1, table 5.1.1. */
export const symbols: readonly PictureSymbol[] = [
  bubble('field', round),
  bubble('panel', round, panel),
  bubble('rear', round, { role: 'fine', d: 'M0 20H6M12 20H28M34 20H40' }),
  symbol('instrument.shared', size, [{ role: 'body', d: box }, ring], ports, [20, 20, 12]),
  symbol('instrument.shared-panel', size, [{ role: 'body', d: box }, ring, panel], ports, [20, 12, 10]),
  bubble('computer', 'M10 0H30L40 20L30 40H10L0 20Z'),
  symbol(
    'instrument.logic',
    size,
    [
      { role: 'body', d: box },
      { role: 'body', d: 'M20 0L40 20L20 40L0 20Z' },
    ],
    ports,
    [20, 20, 11],
  ),
  bubble('interlock', 'M20 0L40 20L20 40L0 20Z'),
]
