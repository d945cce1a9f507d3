import { middles, type PictureSymbol, symbol } from '../symbol.ts'

/** Conveyors and handling: ISO 10628-2, group 12. */
export const symbols: readonly PictureSymbol[] = [
  symbol(
    'transport.belt',
    [160, 32],
    [
      { role: 'run', d: 'M12 4H148A12 12 0 0 1 148 28H12A12 12 0 0 1 12 4Z' },
      { role: 'rotor', d: 'M12 10V22M6 16H18', about: [12, 16] },
      { role: 'rotor', d: 'M148 10V22M142 16H154', about: [148, 16] },
    ],
    middles([160, 32], 'left', 'right'),
  ),
  symbol(
    'transport.screw',
    [160, 32],
    [
      { role: 'run', d: 'M0 4H160V28H0Z' },
      { role: 'rotor', d: 'M4 24L24 8L44 24L64 8L84 24L104 8L124 24L144 8L156 18' },
    ],
    middles([160, 32], 'left', 'right'),
  ),
  symbol(
    'transport.elevator',
    [40, 160],
    [
      { role: 'run', d: 'M8 12A12 12 0 0 1 32 12V148A12 12 0 0 1 8 148Z' },
      { role: 'rotor', d: 'M12 40H20V50M12 80H20V90M12 120H20V130' },
    ],
    [
      { id: 'in', x: 8, y: 140, side: 'left' },
      { id: 'out', x: 32, y: 20, side: 'right' },
    ],
  ),
  symbol('transport.chute', [60, 60], [{ role: 'body', d: 'M0 0H20L60 48V60H44L0 12Z' }], []),
  symbol(
    'transport.feeder',
    [48, 56],
    [
      { role: 'body', d: 'M0 0H48L34 28H14Z' },
      { role: 'run', d: 'M24 28A14 14 0 1 1 24 56A14 14 0 1 1 24 28Z' },
      { role: 'rotor', d: 'M24 30V54M12 42H36', about: [24, 42] },
    ],
    [
      { id: 'top', x: 24, y: 0, side: 'top' },
      { id: 'bottom', x: 24, y: 56, side: 'bottom' },
    ],
  ),
  symbol(
    'transport.scale',
    [80, 40],
    [
      { role: 'body', d: 'M0 0H80V12H0Z' },
      { role: 'body', d: 'M20 12H60L72 40H8Z' },
      { role: 'line', d: 'M40 30L48 20' },
    ],
    [],
  ),
  symbol(
    'transport.truck',
    [96, 56],
    [
      { role: 'body', d: 'M0 4H60V44H0Z' },
      { role: 'body', d: 'M60 16H80L94 30V44H60Z' },
      { role: 'body', d: 'M20 36A9 9 0 1 1 20 54A9 9 0 1 1 20 36ZM76 36A9 9 0 1 1 76 54A9 9 0 1 1 76 36Z' },
    ],
    [],
  ),
  symbol(
    'transport.robot',
    [80, 96],
    [
      { role: 'body', d: 'M4 84H44V96H4Z' },
      { role: 'run', d: 'M16 84V60H32V84Z' },
      { role: 'line', d: 'M24 60L40 20L68 36M68 36L76 30M68 36L76 44' },
      { role: 'solid', d: 'M24 56A4 4 0 1 1 24 64A4 4 0 1 1 24 56ZM40 16A4 4 0 1 1 40 24A4 4 0 1 1 40 16Z' },
    ],
    [],
  ),
]
