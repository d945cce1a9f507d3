import { middles, type Part, type PictureSymbol, symbol } from '../symbol.ts'

const bow = 'M0 0L40 24V0L0 24Z'
/** The two triangles of a valve, 24 high, from `top` down. */
const body = (top: number, d = bow): Part[] => {
  const moved = top ? `M0 ${top}L40 ${top + 24}V${top}L0 ${top + 24}Z` : d
  return [
    { role: 'body', d: moved },
    { role: 'shut', d: moved },
    { role: 'line', d: moved },
  ]
}
const ends = (y: number) => [
  { id: 'left', x: 0, y, side: 'left' as const },
  { id: 'right', x: 40, y, side: 'right' as const },
]
const actuated = (name: string, ...head: readonly Part[]) =>
  symbol(
    `valve.${name}`,
    [40, 52],
    [...body(28), { role: 'line', d: 'M20 40V20' }, ...head],
    [...ends(40), { id: 'signal', x: 20, y: 0, side: 'top', line: 'signal' }],
  )

/** Valves: ISO 10628-2, group 4. A shut valve is filled, an open one hollow. */
export const symbols: readonly PictureSymbol[] = [
  symbol('valve.valve', [40, 24], body(0), middles([40, 24], 'left', 'right')),
  symbol(
    'valve.globe',
    [40, 24],
    [...body(0), { role: 'solid', d: 'M20 7A5 5 0 1 1 20 17A5 5 0 1 1 20 7Z' }],
    middles([40, 24], 'left', 'right'),
  ),
  symbol(
    'valve.ball',
    [40, 24],
    [...body(0), { role: 'body', d: 'M20 5A7 7 0 1 1 20 19A7 7 0 1 1 20 5Z' }],
    middles([40, 24], 'left', 'right'),
  ),
  symbol('valve.gate', [40, 24], [...body(0), { role: 'line', d: 'M20 2V22' }], middles([40, 24], 'left', 'right')),
  symbol(
    'valve.butterfly',
    [32, 24],
    [
      { role: 'line', d: 'M2 0V24M30 0V24' },
      { role: 'open', d: 'M4 22L28 2' },
      { role: 'shut', d: 'M15 1H17V23H15Z' },
      { role: 'solid', d: 'M16 9A3 3 0 1 1 16 15A3 3 0 1 1 16 9Z' },
    ],
    [
      { id: 'left', x: 2, y: 12, side: 'left' },
      { id: 'right', x: 30, y: 12, side: 'right' },
    ],
  ),
  symbol(
    'valve.check',
    [40, 24],
    [
      { role: 'body', d: 'M0 0V24L40 0V24' },
      { role: 'line', d: 'M0 0V24L40 0V24' },
      { role: 'solid', d: 'M0 0L10 6L3 9Z' },
    ],
    middles([40, 24], 'left', 'right'),
  ),
  actuated('control', { role: 'body', d: 'M8 20Q8 4 20 4T32 20Z' }),
  actuated('motor', { role: 'body', d: 'M10 0H30V20H10Z' }, { role: 'fine', d: 'M14 15V5L20 11L26 5V15' }),
  actuated('solenoid', { role: 'body', d: 'M10 0H30V20H10Z' }, { role: 'fine', d: 'M25 5Q15 3 15 8T20 10T25 13T15 15' }),
  symbol('valve.hand', [40, 40], [...body(16), { role: 'line', d: 'M20 28V4M8 4H32' }], ends(28)),
  symbol(
    'valve.three-way',
    [40, 40],
    [
      { role: 'body', d: 'M0 0L20 12L40 0V24L20 12L0 24Z' },
      { role: 'shut', d: 'M0 0L20 12L40 0V24L20 12L0 24Z' },
      { role: 'line', d: 'M0 0L20 12L40 0V24L20 12L0 24Z' },
      { role: 'body', d: 'M20 12L8 40H32Z' },
    ],
    [...ends(12), { id: 'bottom', x: 20, y: 40, side: 'bottom' }],
  ),
  symbol(
    'valve.safety',
    [40, 52],
    [
      { role: 'body', d: 'M20 28L8 52H32Z' },
      { role: 'shut', d: 'M20 28L8 52H32Z' },
      { role: 'body', d: 'M20 28L40 16V40Z' },
      { role: 'line', d: 'M20 28V0M12 4L28 8M12 10L28 14M12 16L28 20' },
    ],
    [
      { id: 'bottom', x: 20, y: 52, side: 'bottom' },
      { id: 'right', x: 40, y: 28, side: 'right' },
    ],
  ),
]
