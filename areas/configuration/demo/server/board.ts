// The initial dashboard of the demo company.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { setMany } from '../../../../server/resource/bulk.ts'
import { store } from '../../../../server/resource/store.ts'
import { type BoardContent, visualBoard, type Widget } from '../../../pictures/boards/contract.ts'

type Named = [device: string, point: string]
type Sketch = Omit<Widget, 'Id' | 'Points'> & { points?: Named[] }

const pumps = ([1, 2, 3] as const).map((n): Named => ['High service pumps', `Pump ${n} running`])
const sketches: Sketch[] = [
  {
    Kind: 'text',
    X: 0,
    Y: 0,
    W: 24,
    H: 2,
    Text: '# Riverside Waterworks\n**Intake to tower.** Choose a time above; a click on a title leads on.',
  },
  { Kind: 'value', X: 0, Y: 2, W: 6, H: 3, points: [['Raw water intake', 'Raw water flow']] },
  { Kind: 'value', X: 6, Y: 2, W: 6, H: 3, points: [['Outlet and tower', 'Outlet pressure']] },
  { Kind: 'value', X: 12, Y: 2, W: 6, H: 3, points: [['Chlorine dosing', 'Free chlorine']] },
  { Kind: 'value', X: 18, Y: 2, W: 6, H: 3, points: [['Cold room', 'Air temperature']] },
  {
    ...{ Kind: 'trend', X: 0, Y: 5, W: 16, H: 8, Title: 'Flow through the works' },
    points: [
      ['Raw water intake', 'Raw water flow'],
      ['Outlet and tower', 'Outlet flow'],
      ['Outlet and tower', 'Town demand'],
    ],
  },
  { Kind: 'gauge', X: 16, Y: 5, W: 4, H: 5, Min: 0, Max: 5, points: [['Outlet and tower', 'Tower level']] },
  { Kind: 'gauge', X: 20, Y: 5, W: 4, H: 5, Min: 0, Max: 3.2, points: [['Clear water tank', 'Chamber A level']] },
  { Kind: 'alarms', X: 16, Y: 10, W: 8, H: 9 },
  { Kind: 'states', X: 0, Y: 13, W: 16, H: 6, Title: 'High service pumps', points: pumps },
  { Kind: 'bars', X: 0, Y: 19, W: 8, H: 6, points: [['Delivery power meter', 'Active power']] },
  {
    ...{ Kind: 'heat', X: 8, Y: 19, W: 8, H: 6, Title: 'Filters: differential pressure' },
    points: ([1, 2, 3] as const).map((n): Named => ['Filters', `Filter ${n} differential pressure`]),
  },
  { Kind: 'devices', X: 16, Y: 19, W: 8, H: 12 },
  {
    ...{ Kind: 'points', X: 0, Y: 25, W: 16, H: 6, Title: 'Water quality' },
    points: [
      ['Settling basin', 'Settled turbidity'],
      ['Clear water tank', 'Clear water pH'],
      ['Clear water tank', 'Conductivity'],
      ['UV reactor', 'UV dose'],
    ],
  },
]

/** Creates the start dashboard of the demo company. Omits points that the plant does not have. */
export const seedBoard = async (db: Db, actor: Actor, ProjectId: number) => {
  const points = await db.rows<{ Id: number; ParaName: string; DeviceName: string }>(sql`
    select p."Id", p."ParaName", d."DeviceName" from point p join device d on d."Id" = p."DeviceId" join gateway g on g."Id" = d."GatewayId"
    where g."ProjectId" = ${ProjectId}`)
  const idOf = ([device, name]: Named) => points.find((p) => p.DeviceName === device && p.ParaName === name)?.Id ?? []
  const Content: BoardContent = {
    ...{ Version: 1, Range: '1h', Variables: [] },
    Widgets: sketches.map(({ points: named, ...sketch }, i) => ({ Id: `w${i}`, ...sketch, ...(named && { Points: named.flatMap(idOf) }) })),
  }
  const { Id } = await store(visualBoard).create(db, actor, { Title: 'Riverside Waterworks', Content })
  await setMany(db, actor, visualBoard, [Id], { IsDefault: 1 })
  return Id
}
