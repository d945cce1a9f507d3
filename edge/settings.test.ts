import { expect, test } from 'vitest'
import { readSettings } from './settings.ts'

const good = {
  EDGE_SERVER: 'mqtt://10.0.0.1:8421',
  EDGE_SN: 'SOFT0001',
  EDGE_KEY: 'hush',
  EDGE_DATA: '/var/lib/edge',
  EDGE_BUFFER_MB: '64',
  EDGE_LISTEN: '9000-9010',
}

test('settings are read from the environment', () => {
  expect(readSettings({ ...good, PATH: '/bin' })).toEqual({
    server: 'mqtt://10.0.0.1:8421',
    sn: 'SOFT0001',
    key: 'hush',
    data: '/var/lib/edge',
    bufferMb: 64,
    listen: [{ host: '0.0.0.0', from: 9000, to: 9010 }],
    outbound: expect.any(Function),
  })
})
test('unknown and malformed ones are refused by name, all together, and the key is not repeated', () => {
  const read = () => readSettings({ ...good, EDGE_SERVER: 'ftp://x', EDGE_SN: 'soft', EDGE_BUFFER_MB: 'much', EDGE_SPEED: '9' })
  expect(read).toThrow(/EDGE_SPEED is not a setting(.|\n)*EDGE_SERVER(.|\n)*EDGE_SN(.|\n)*EDGE_BUFFER_MB/)
  expect(read).not.toThrow(/hush/)
  expect(() => readSettings({ ...good, EDGE_KEY: undefined })).toThrow(/EDGE_KEY is missing/)
})
