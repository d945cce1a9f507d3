// Labels of machines: the secret in their address, and permission to print and renew them.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Answer } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import { notFound } from '../../../../server/http/faults.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { noteExport } from '../../../../server/identity/note.ts'
import { readSettings } from '../../../../server/resource/settings.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { record } from '../../../../server/resource/store.ts'
import { mtnEquipment } from '../../equipment/contract.ts'
import { orderClocks } from '../../orders/clocks.ts'
import type { requestCalls } from '../contract.ts'

export type Machine = {
  Id: number
  EnterpriseId: number
  ProjectId: number
  DeviceId: number | null
  EquipmentName: string
  LabelNo: number
}
const isOn = async (db: Db, EnterpriseId: number) => (await readSettings(db, orderClocks, EnterpriseId)).PublicReports === 1

/** `system` reads the machine of a label for anonymous callers, too. */
export const openLabels = (system: Db, key: Buffer) => {
  const secretOf = ({ Id, LabelNo }: Pick<Machine, 'Id' | 'LabelNo'>) =>
    createHmac('sha256', key).update(`label\n${Id}\n${LabelNo}`).digest().subarray(0, 24).toString('base64url')
  const pathOf = (machine: Pick<Machine, 'Id' | 'LabelNo'>) => `/report#${machine.Id}.${secretOf(machine)}`

  /**
   * Finds the machine of a label. Wrong or renewed labels and companies that accept no reports get the same answer. `reader`: users of
   * the machine's company may always report.
   */
  const machineOf = async (label: string, reader?: Actor): Promise<Machine> => {
    const [id, secret] = label.split('.') as [string, string]
    const [row] = Number.isSafeInteger(Number(id))
      ? await system.rows<Machine>(sql`
          select "Id", "EnterpriseId", "ProjectId", "DeviceId", "EquipmentName", "LabelNo" from mtn_equipment where "Id" = ${Number(id)}`)
      : []
    const wanted = Buffer.from(secretOf(row ?? { Id: 0, LabelNo: 0 }))
    const given = Buffer.from(secret)
    if (!row || given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw notFound()
    if (reader?.EnterpriseId !== row.EnterpriseId && !(await isOn(system, row.EnterpriseId))) throw notFound()
    return row
  }

  return {
    machineOf,
    async label(db: Db, actor: Actor, id: number): Promise<Answer<typeof requestCalls.label>> {
      const [row] = await db.rows<Machine>(sql`select t.* from mtn_equipment t where "Id" = ${id} and ${visible(mtnEquipment, actor)}`)
      if (!row) throw notFound()
      return { Path: pathOf(row), Takes: (await isOn(system, row.EnterpriseId)) ? 1 : 0 }
    },
    /** In the order of the Ids. */
    labels: (db: Db, actor: Actor, ids: readonly number[]): Promise<Answer<typeof requestCalls.labels>> =>
      db.tx(async (db) => {
        const rows = await db.rows<Machine>(sql`
          select t.* from mtn_equipment t where "Id" = any(${ids}::bigint[]) and ${visible(mtnEquipment, actor)} order by array_position(${ids}::bigint[], "Id")`)
        if (rows.length < new Set(ids).size) throw notFound()
        const companies = [...new Set(rows.map(({ EnterpriseId }) => EnterpriseId))]
        const on = await Promise.all(companies.map((id) => isOn(system, id)))
        for (const EnterpriseId of companies) {
          const Ids = rows.flatMap((row) => (row.EnterpriseId === EnterpriseId ? [row.Id] : []))
          const title = word(actor.language, 'equipment.labels')
          await noteExport(db, { ...actor, EnterpriseId }, mtnEquipment.name, title, { Filters: { Ids }, Rows: Ids.length })
        }
        return { Items: rows.map((row) => ({ Id: row.Id, Path: pathOf(row) })), Takes: on.every(Boolean) ? 1 : 0 }
      }),
    renewLabel: (db: Db, actor: Actor, id: number) =>
      db.tx(async (db) => {
        const [row] = await db.rows<Machine>(sql`
          update mtn_equipment t set "LabelNo" = "LabelNo" + 1, "UpdateTime" = now() where "Id" = ${id} and ${visible(mtnEquipment, actor)} returning *`)
        if (!row) throw notFound()
        await record(
          db,
          actor,
          mtnEquipment,
          'update',
          id,
          row.EnterpriseId,
          { LabelNo: row.LabelNo - 1 } as never,
          { LabelNo: row.LabelNo } as never,
        )
        return { Path: pathOf(row) }
      }),
  }
}
