import { middles, type PictureSymbol, symbol } from '../symbol.ts'

const round = 'M20 0A20 20 0 1 1 20 40A20 20 0 1 1 20 0Z'

/** Pumps: ISO 10628-2, group 5. The tip points to where the fluid leaves. */
export const symbols: readonly PictureSymbol[] = [
  symbol(
    'pump.pump',
    [40, 40],
    [
      { role: 'run', d: round },
      { role: 'line', d: 'M20 0L40 20L20 40' },
    ],
    middles([40, 40], 'left', 'right', 'top', 'bottom'),
  ),
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
]
