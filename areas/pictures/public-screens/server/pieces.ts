// Parts that screens of visits load separately: map tiles, dashboard images, and alarms that take over a display.
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Answer, Body } from '../../../../contract/call.ts'
import { notFound } from '../../../../server/http/faults.ts'
import { visualBoard } from '../../boards/contract.ts'
import { mapLayer } from '../../maps/contract.ts'
import { kinds } from '../../shares/contract.ts'
import type { sharedCalls } from '../contract.ts'
import type { openLookers } from './lookers.ts'
import type { openSending } from './sending.ts'
import type { Needs } from './service.ts'
import { openTakeover } from './takeover.ts'
import type { openVisits } from './visits.ts'

type Parts = {
  visits: ReturnType<typeof openVisits>
  lookers: ReturnType<typeof openLookers>
  send: ReturnType<typeof openSending>
}
type Image = { ContentType: string; Size: number; content: Readable }

/** Image types that browsers show. Other files of a dashboard are not images. */
const shown = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

export const openPieces = ({ database, tiles, store, clock, steady }: Needs, { visits, lookers, send }: Parts) => {
  const { system } = database
  const taking = openTakeover({ database, lookers, clock, steady })
  return {
    /** @throws Fault `notFound` if the visit has ended or is not that of a display */
    async alarms({ Visit }: Body<typeof sharedCalls.alarms>): Promise<Answer<typeof sharedCalls.alarms>> {
      const { television } = visits.find(Visit, undefined, 'follows').visit
      if (television === undefined) throw notFound()
      return taking(television)
    },
    /** @throws Fault `notFound` if the visit shows no map, or its content has ended */
    async tile({ Visit, Entry, ...spot }: Body<typeof sharedCalls.tile>): Promise<Buffer> {
      const { visit, entry } = visits.find(Visit, Entry, 'own')
      const { target } = await lookers.look(entry.source)
      if (target.Kind !== kinds.map && target.Kind !== kinds.board) throw notFound()
      return tiles.tile({ EnterpriseId: visit.tenant, UserId: `visit ${visit.id}` }, spot)
    },
    /** @throws Fault `notFound` if the visit or its content has ended */
    image(address: string, left: Promise<unknown>): Promise<Image> {
      const { visit, entry, path } = visits.imageOf(address)
      return send(visit, left, async () => {
        await lookers.look(entry.source)
        const key = path.replace(/^files\//, '')
        const [row] = await system.rows<Omit<Image, 'content'>>(sql`
        select "ContentType", "Size" from stored_file where "Key" = ${key} and "EnterpriseId" = ${visit.tenant}
          and "Resource" = any(${[visualBoard.name, mapLayer.name]}::text[]) and "RecordId" > 0 and "ContentType" = any(${shown}::text[])`)
        const content = row && (await store.get(key))
        if (!content) throw notFound()
        return { ...row, content }
      })
    },
  }
}
