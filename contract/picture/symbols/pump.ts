import { middles, type Part, type PictureSymbol, symbol } from '../symbol.ts'

const size = [40, 40] as const
const round = 'M20 0A20 20 0 1 1 20 40A20 20 0 1 1 20 0Z'
const tip = 'M20 0L40 20L20 40'
const ports = middles(size, 'left', 'right', 'top', 'bottom')
/** A circle with the tip that says where the fluid leaves, and what makes the kind. */
const pump = (name: string, ...more: readonly Part[]) =>
  symbol(`pump.${name}`, size, [{ role: 'run', d: round }, { role: 'rotor', d: tip }, ...more], ports)

/** Pumps: ISO 10628-2, group 5. */
export const symbols: readonly PictureSymbol[] = [
  pump('pump'),
  symbol(
    'pump.centrifugal',
    [48, 48],
    [
      { role: 'body', d: 'M8 46L14 36H30L36 46Z' },
      { role: 'run', d: 'M22 4A18 18 0 1 1 22 40A18 18 0 1 1 22 4Z' },
      { role: 'body', d: 'M22 4H48V14H36' },
      { role: 'rotor', d: 'M22 12V32M12 22H32', about: [22, 22] },
    ],
    [
      { id: 'in', x: 4, y: 22, side: 'left' },
      { id: 'out', x: 48, y: 9, side: 'right' },
    ],
  ),
  pump('gear', { role: 'rotor', d: 'M14 14A6 6 0 1 1 14 26A6 6 0 1 1 14 14ZM26 14A6 6 0 1 1 26 26A6 6 0 1 1 26 14Z' }),
  pump('screw', { role: 'rotor', d: 'M6 20Q10 12 14 20T22 20T30 20' }),
  pump('diaphragm', { role: 'rotor', d: 'M14 4Q26 20 14 36' }),
  pump('dosing', { role: 'rotor', d: 'M10 30L28 12M28 12L20 14M28 12L26 20' }),
  pump('vacuum', { role: 'rotor', d: 'M10 14H26M10 20H26M10 26H26' }),
  symbol(
    'pump.submersible',
    [32, 72],
    [
      { role: 'run', d: 'M4 20H28V60Q16 76 4 60Z' },
      { role: 'line', d: 'M16 20V0M10 8L16 0L22 8' },
      { role: 'rotor', d: 'M4 32H28M4 52H28' },
    ],
    [
      { id: 'in', x: 16, y: 68, side: 'bottom' },
      { id: 'out', x: 16, y: 0, side: 'top' },
    ],
  ),
]
