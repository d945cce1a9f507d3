import { middles, type Part, type PictureSymbol, symbol } from '../symbol.ts'

const size = [40, 40] as const
const round = 'M20 0A20 20 0 1 1 20 40A20 20 0 1 1 20 0Z'
const machine = (name: string, ...more: readonly Part[]) =>
  symbol(`drive.${name}`, size, [{ role: 'run', d: round }, ...more], middles(size, 'left', 'right', 'top', 'bottom'))

/** Motors, fans, compressors and turbines: ISO 10628-2, groups 5 to 7; IEC 60617. */
export const symbols: readonly PictureSymbol[] = [
  symbol(
    'drive.motor',
    size,
    [
      { role: 'run', d: round },
      { role: 'rotor', d: 'M12 28V12L20 22L28 12V28' },
    ],
    [...middles(size, 'left', 'right', 'bottom'), { id: 'power', x: 20, y: 0, side: 'top', line: 'power' }],
  ),
  symbol(
    'drive.generator',
    size,
    [
      { role: 'run', d: round },
      { role: 'rotor', d: 'M28 14Q20 8 14 16T20 30Q28 30 28 22H21' },
    ],
    [...middles(size, 'left', 'right', 'bottom'), { id: 'power', x: 20, y: 0, side: 'top', line: 'power' }],
  ),
  machine('fan', {
    role: 'rotor',
    d: 'M20 20Q30 8 20 4Q12 10 20 20Q32 30 36 20Q30 12 20 20Q10 32 20 36Q28 30 20 20Q8 10 4 20Q10 28 20 20',
    about: [20, 20],
  }),
  machine('blower', { role: 'rotor', d: 'M4 8L36 14M4 32L36 26' }),
  machine('compressor', { role: 'rotor', d: 'M6 6L38 14M6 34L38 26' }),
  machine('screw-compressor', { role: 'rotor', d: 'M6 6L38 14M6 34L38 26' }, { role: 'rotor', d: 'M8 20Q12 14 16 20T24 20T32 20' }),
  symbol('drive.turbine', [40, 48], [{ role: 'run', d: 'M0 14L40 0V48L0 34Z' }], middles([40, 48], 'left', 'right')),
  symbol(
    'drive.agitator',
    [40, 80],
    [
      { role: 'run', d: 'M10 0H30V20H10Z' },
      { role: 'line', d: 'M20 20V68M4 68H36M4 60V76M36 60V76' },
    ],
    [{ id: 'power', x: 20, y: 0, side: 'top', line: 'power' }],
  ),
]
