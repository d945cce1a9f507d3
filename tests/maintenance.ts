// One record of each kind of the maintenance centre, made through the front door.
import { sql } from 'kysely'
import type { Db } from '../server/database/db.ts'

type Make = (path: string, draft: object) => Promise<{ Id: number }>

type Of = { name: string; EnterpriseId: number; ModelId: number; project: number; gateway: number; person: number }
/** What readers make: a reading, and the presence that follows. */
export const addReading = async (
  db: Db,
  { EnterpriseId, gateway, person }: Omit<Of, 'ModelId' | 'project'>,
  card: number,
  name: string,
) => {
  const [read] = await db.rows<{ Id: number }>(sql`
    insert into pro_rfid_history ("EnterpriseId", "CardNo", "RfidId", "ReadTime", "Result", "ReaderType", "GatewayId", "Reader", "UserId")
    values (${EnterpriseId}, 'ABCD', ${card}, now(), 0, 1, ${gateway}, ${name}, ${person}) returning "Id"`)
  const [punch] = await db.rows<{ Id: number }>(sql`
    insert into mtn_punch_record ("EnterpriseId", "UserId", "Day", "PunchType", "PunchTime", "Way", "RfidId", "Remark")
    values (${EnterpriseId}, ${person}, '2026-01-31', 1, now(), 2, ${card}, ${name}) returning "Id"`)
  return { proRfidHistory: read!.Id, mtnPunchRecord: punch!.Id }
}

export const addMaintenance = async (make: Make, db: Db, of: Of) => {
  const { name, ModelId, project } = of
  const place = await make('/Maintenance/MtnPlace', { PlaceName: `${name} store` })
  const part = await make('/Maintenance/MtnComponent', { ComponentName: `${name} part`, ComponentNo: `${name} 1`, MinQty: 5 })
  await make('/Maintenance/MtnComponent/TakeIn', { Id: part.Id, PlaceId: place.Id, Qty: 2, Remark: name })
  await db.rows(sql`
    insert into mtn_stock_difference ("EnterpriseId", "Time", "ComponentId", "PlaceId", "Qty", "StockQty", "UserId", "Remark")
    values (${of.EnterpriseId}, now(), ${part.Id}, ${place.Id}, 3, 2, ${of.person}, ${name})`)
  await make('/Maintenance/MtnComponent/ComponentCompoInfo', { DeviceModelId: ModelId, ComponentId: part.Id })
  const article = await make('/Maintenance/MtnKnowledgeBase', { Title: `${name} article`, DeviceModelId: ModelId, Solution: name })
  await make('/Maintenance/MtnKnowledgeBase/Publish', { Id: article.Id })
  await make('/Maintenance/MtnEquipment', { EquipmentName: `${name} equipment`, ProjectId: project })
  const CardNo = String(of.EnterpriseId).padStart(8, '0').slice(-8)
  const card = await make('/Project/ProRFIDInfo', { CardName: `${name} card`, CardNo, ProjectId: project })
  await addReading(db, of, card.Id, name)
}
