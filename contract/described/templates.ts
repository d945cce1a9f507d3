import type { Description } from './description.ts'

/** A ready description. Words at `selfParseTemplate.<Name>`. Sample: answers in hex, one a line. */
export type DescriptionTemplate = Description & { Name: string; Sample: string }

export const descriptionTemplates: readonly DescriptionTemplate[] = [
  {
    Name: 'registers',
    Sample: '01 03 04 41 C8 00 00 6F F1',
    Frame: { By: 'silence', SilenceMs: 20, Checksum: 'crc16Modbus' },
    Requests: [
      {
        Send: '{addr} 03 00 00 00 02 {crc}',
        Answer: '{addr} 03 04 xx xx xx xx {crc}',
        Fields: [{ Key: 'temperature', Type: 'f32', At: 3 }],
      },
      {
        Send: '{addr} 06 00 10 {value} {crc}',
        Answer: '{addr} 06 00 10 {value} {crc}',
        ...{ Fields: [], Write: { Key: 'setpoint', Type: 'u16', Scale: 0.1 } },
      },
    ],
  },
  {
    Name: 'lengthField',
    Sample: 'AA 55 04 01 10 02 58 6F',
    Frame: { By: 'lengthField', Start: 'AA 55', LengthAt: 2, LengthAdd: 4, Checksum: 'sum', ChecksumFrom: 2 },
    Requests: [
      {
        Send: 'AA 55 02 {addr} 10 {crc}',
        Answer: 'AA 55 04 {addr} 10',
        Fields: [{ Key: 'flow', Type: 'u16', At: 5, Scale: 0.1 }],
      },
    ],
  },
  {
    Name: 'delimiter',
    Sample: '02 01 31 12 34 16 03',
    Frame: { By: 'delimiter', Start: '02', End: '03', Checksum: 'xor', ChecksumFrom: 1, ChecksumAfter: 1 },
    Requests: [
      { Send: '02 {addr} 30 {crc} 03', Answer: '02 {addr} 31', Fields: [{ Key: 'level', Type: 'bcd', Bytes: 2, At: 3, Scale: 0.01 }] },
    ],
  },
]
