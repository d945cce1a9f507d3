import { middles, type PictureSymbol, symbol } from '../symbol.ts'

/** Tanks and vessels: ISO 10628-2, group 1. */
export const symbols: readonly PictureSymbol[] = [
  symbol(
    'vessel.tank',
    [80, 100],
    [
      { role: 'body', d: 'M0 12Q40 -8 80 12V100H0Z' },
      { role: 'level', d: 'M0 12Q40 -8 80 12V100H0Z' },
      { role: 'line', d: 'M0 12Q40 -8 80 12V100H0Z' },
    ],
    [...middles([80, 100], 'top', 'bottom'), { id: 'left', x: 0, y: 88, side: 'left' }, { id: 'right', x: 80, y: 88, side: 'right' }],
  ),
  symbol(
    'vessel.open',
    [80, 80],
    [
      { role: 'body', d: 'M0 0V80H80V0' },
      { role: 'level', d: 'M0 0V80H80V0Z' },
      { role: 'line', d: 'M0 0V80H80V0' },
    ],
    [...middles([80, 80], 'top', 'bottom'), { id: 'left', x: 0, y: 70, side: 'left' }, { id: 'right', x: 80, y: 70, side: 'right' }],
  ),
]
