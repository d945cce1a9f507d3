import { middles, type PictureSymbol, symbol } from '../symbol.ts'

/** Valves: ISO 10628-2, group 4. A shut valve is filled, an open one hollow. */
export const symbols: readonly PictureSymbol[] = [
  symbol(
    'valve.valve',
    [40, 24],
    [
      { role: 'body', d: 'M0 0L40 24V0L0 24Z' },
      { role: 'shut', d: 'M0 0L40 24V0L0 24Z' },
      { role: 'line', d: 'M0 0L40 24V0L0 24Z' },
    ],
    middles([40, 24], 'left', 'right'),
  ),
]
