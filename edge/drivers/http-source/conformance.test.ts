import { pointRow } from '../../testing/rows.ts'
import { startWebService } from '../../testing/web-service.ts'
import { conformance, type Peer } from '../conformance.ts'
import { httpSource } from './driver.ts'

const timeout = 200
const values = Array.from({ length: 101 }, (_, n) => n)

const startPeer = async (): Promise<Peer> => {
  const service = await startWebService(({ url }, response) => void (url === '/all' && response.end(JSON.stringify({ values }))), {
    lateMs: timeout * 1.5,
  })
  const place = (Id: number, Path: string) => ({ Id, DeviceName: `d${Id}`, CommType: 0, ChannelId: 1, SlaveNumber: 1, Settings: { Path } })
  return {
    ...service,
    channel: { ProtocolType: 110, Settings: { Url: `http://127.0.0.1:${service.port}` } },
    devices: [place(1, '/all'), place(2, '/hung')],
    point: (n, change = {}) => pointRow(n, `values[${n}]`, { CollectPeriod: 20, Timeout: timeout, ...change }),
    hung: (n) => pointRow(n, 'values[1]', { CollectPeriod: 20, Timeout: timeout, DeviceId: 2 }),
    value: (n) => values[n]!,
  }
}
conformance('HTTP source', httpSource, startPeer, { isReadOnly: true })
