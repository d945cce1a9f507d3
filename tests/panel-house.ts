// A Penstock whose company has panels, and people who view them.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { addRoles } from '../server/identity/setup.ts'
import { type House, startHouse, until } from './house.ts'
import { type Panel, startPanel } from './rfb-panel.ts'
import { openViewer, type RfbViewer } from './rfb-viewer.ts'
import { person, secret, seedTenant } from './two-tenants.ts'

const tenant = async (house: House, name: string, SN: string) => {
  const [row] = await house.database.system.rows<{ Id: number }>(sql`insert into enterprise ("Name") values (${name}) returning "Id"`)
  await addRoles(house.database.system, row!.Id)
  const token = await person(house, row!.Id, `manager${SN}`, `${name} manager`, 'Company manager')
  return { token, Id: row!.Id, ...(await seedTenant(house, row!.Id, token, SN, name)) }
}

/** Registers the hooks of a test file. What it returns is filled before the first test. */
export const panelHouse = () => {
  const panels: Panel[] = []
  const viewers: RfbViewer[] = []
  const at = {} as { house: House; device: number; manager: string; viewer: string; stranger: string }
  let count = 0

  beforeAll(async () => {
    at.house = await startHouse({ PENSTOCK_OUTBOUND: '127.0.0.1/32,10.0.0.0/8,169.254.0.0/16' })
    const ours = await tenant(at.house, secret, 'PANELS0001')
    at.manager = ours.token
    at.device = ours.ids.device!
    at.viewer = await person(at.house, ours.Id, 'looker', 'Looker', 'Viewer')
    at.stranger = (await tenant(at.house, 'Strangers', 'PANELS0002')).token
  })
  afterEach(() => {
    for (const made of viewers.splice(0)) made.close()
  })
  afterAll(async () => {
    await at.house?.close()
    await Promise.all(panels.map((made) => made.close()))
  })

  const panel = async (options: Parameters<typeof startPanel>[0] = {}) => {
    const made = await startPanel(options)
    panels.push(made)
    return made
  }
  /** Adds a panel of the company. */
  const add = (draft: object) => {
    const full = { VncName: `Panel ${++count}`, DeviceId: at.device, Host: '127.0.0.1', ViewOnly: 0, ...draft }
    return at.house.data<{ Id: number; UpdateStamp: number }>('POST', '/Project/DeviceVnc', full, at.manager)
  }
  const record = (of: Panel, more: object = {}) => add({ Port: of.port, ...more })
  const ticket = async (Id: number, token = at.manager) =>
    (await at.house.data<{ Ticket: string }>('POST', '/Project/DeviceVnc/Open', { Id }, token)).Ticket
  /** The viewer closes after the test. */
  const follow = (given: string, headers = {}) => {
    const made = openViewer(at.house.origin, given, headers)
    viewers.push(made)
    return made
  }
  const open = async (Id: number, token = at.manager, headers = {}) => follow(await ticket(Id, token), headers)
  /** Opens a viewer and waits for its first picture. */
  const shown = async (Id: number, token = at.manager) => {
    const made = await open(Id, token)
    await until('a picture', () => made.pictures() > 0 || made.ended())
    return made
  }
  /** Takes control and waits until it is granted. */
  const operate = async (Id: number) => {
    const made = await shown(Id)
    made.control(true)
    await until('control', () => made.state()?.Controls)
    return made
  }
  const endOf = (of: RfbViewer) => until('the end', () => of.ended())
  /** Waits until the server and the panel have read everything that was sent before. */
  const settled = async (of: RfbViewer, screen: Panel) => {
    const before = of.pictures()
    screen.paint(0x123456 + before)
    await until('the next picture', () => of.pictures() > before)
  }
  return { at, panel, add, record, ticket, follow, open, shown, operate, endOf, settled, name: () => `Panel ${count}` }
}
