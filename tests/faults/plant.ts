import type { Page } from '../../contract/call.ts'
import type { FrontDoor } from '../front-door.ts'

/** A gateway with numbered points on one device. */
export type Source = { SN: string; Key: string; gateway: number; device: number; points: number[] }

/** Made through the public API. `SN` is followed by the gateway's number. */
export const makePlant = async (door: FrontDoor, gateways = 4, points = 10, SN = 'FAULTS', more: object = {}): Promise<Source[]> => {
  const sources: Source[] = []
  for (let g = 1; g <= gateways; g++) {
    const made = await door.newGateway(`${SN}${String(g).padStart(6, '0')}`, 1)
    const Items = Array.from({ length: points }, (_, i) => ({ ParaName: `Counter ${i}`, Address: String(2 * i), ...more }))
    await door.data('POST', '/Project/DevPara/BatchAdd', { DeviceId: made.device, Items })
    const list = `/V2/Project/DevPara/List?DeviceIds=${made.device}&PageSize=1000`
    const { Items: rows } = await door.data<Page<{ Id: number }>>('GET', list)
    sources.push({ ...made, points: rows.map((row) => row.Id) })
  }
  return sources
}
