// Viewer, editor, agent and company manager each see what their role gives them of the configuration, and no more.
import { beforeAll, expect, it } from 'vitest'
import type { Wrapper } from '../../contract/call.ts'
import { openFrontDoor, password } from '../front-door.ts'
import { expectAccessible, expectFits, journey, openBrowser, pane, signIn, visit } from './browser.ts'

/** M company manager, E editor, V viewer, A agent. */
const people = { M: 'Company manager', E: 'Editor', V: 'Viewer', A: 'Agent' } as const
type Person = keyof typeof people
const everybody = Object.keys(people) as Person[]
const accounts = { M: 'mona', E: 'edith', V: 'victor', A: 'anna' }

/** Each list of the configuration: who reads it, who adds to it. */
const lists: Record<string, [reads: string, adds: string]> = {
  '/Project/Project': ['MEV', 'ME'],
  '/Project/Gateway': ['MEV', 'ME'],
  '/Project/Device': ['MEV', 'ME'],
  '/Project/DevPara': ['MEV', 'ME'],
  '/Project/Protocol/NetProtocol': ['MEV', 'ME'],
  '/ProModel/ProModel': ['MEV', 'ME'],
  '/ProModel/ModelPara': ['MEV', 'ME'],
  // Everyone who may see models may see their folders; only managers may arrange them.
  '/ProModel/PointTempMenu': ['MEV', 'M'],
  '/Project/StandardPara': ['MEV', 'ME'],
  '/Project/CommonPara': ['MEV', 'ME'],
  '/Project/DeviceVnc': ['MEV', 'ME'],
  '/Project/ProjectTask': ['MEV', 'ME'],
  '/Project/Gateway/Version': ['MEV', ''],
  '/Events/Events': ['MEV', ''],
  '/Product/ProProductSeries': ['MA', 'M'],
  '/V3/Product/ProductTask': ['M', ''],
  '/V3/System/CrossRegionSale/GatewaySN': ['MA', ''],
  '/V3/System/CrossRegionSale/SN_Position': ['MA', 'M'],
}
/** What is done to them, and by whom. */
const acts: Record<string, string> = {
  '/Project/Protocol/OptionPush': 'ME',
  '/Project/Gateway/Reset': 'ME',
  '/Project/Gateway/Bind': 'ME',
  '/Project/Gateway/UnBind': 'ME',
  '/Project/Gateway/Replace': 'ME',
  '/Project/Gateway/ResetKey': 'ME',
  '/Project/Gateway/BatchAdd': 'ME',
  '/Project/Device/BatchAdd': 'ME',
  '/Project/DevPara/Cells': 'ME',
  '/Project/DevPara/Write': 'ME',
  '/Project/CommonPara/AddToDevices': 'ME',
  '/ProModel/ProModel/Publish': 'ME',
  '/ProModel/ProModel/Apply': 'ME',
  '/Project/Project/QProjectCopyGatewayAndDevices': 'ME',
  '/V3/Product/ProductTask/ProBatchAddProductTask': 'M',
  '/V3/System/CrossRegionSale/GatewaySN/BatchAdd': 'M',
}
/** Screens of the configuration, by their heading. */
const screens: Record<string, [heading: string, sees: string]> = {
  '/projectManagement/projectConfig': ['Projects', 'MEV'],
  '/projectManagement/gatewayManagement': ['Gateways', 'MEV'],
  '/projectManagement/deviceManagement': ['Devices', 'MEV'],
  '/projectManagement/pointManagement': ['Points', 'MEV'],
  '/projectManagement/pointTempManagement': ['Device models', 'MEV'],
  '/systemManagement/pointTempMenu': ['Model folders', 'MV'],
  '/projectManagement/standardParam': ['Standard parameters', 'MEV'],
  '/projectManagement/generalParam': ['Common points', 'MEV'],
  '/projectManagement/yncManagement': ['Panels', 'MEV'],
  '/projectManagement/pointTaskList': ['Tasks', 'MEV'],
  '/projectManagement/screenMonitor': ['Wall view', 'MV'],
  '/productSeries/ProductSeries': ['Product series', 'MA'],
  '/productSeries/productTaskList': ['Product tasks', 'M'],
  '/productSeries/gatewaySN': ['Serial numbers', 'MA'],
  '/productSeries/gatewayPosition': ['Gateway positions', 'MA'],
}
const changes = /^(Add|New|Import|Bind|Push|Publish|Apply|Edit|Delete|Remove|Copy|More actions)\b/

journey('what each role sees of the configuration', { env: {} }, (at) => {
  let door: Awaited<ReturnType<typeof openFrontDoor>>
  const tokens = {} as Record<Person, string>
  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    const EnterpriseId = await door.ensureCompany()
    type Role = { Id: number; RoleName: string }
    const roles = (await door.data<{ Items: Role[] }>('GET', `/System/Role/List?EnterpriseId=${EnterpriseId}&PageSize=100`)).Items
    for (const person of everybody) {
      const account = { UserNO: accounts[person], UserName: people[person], EnterpriseId }
      const RoleIds = [roles.find((r) => r.RoleName === people[person])!.Id]
      const { OneTimePwd } = await door.data<{ OneTimePwd: string }>('POST', '/System/User', { ...account, RoleIds })
      const first = await door.login(account.UserNO, OneTimePwd)
      await door.data('POST', '/System/User/SetPwd', { OldPwd: OneTimePwd, NewPwd: password }, first)
      tokens[person] = await door.login(account.UserNO, password)
    }
  })
  /** Those to whom the answer is not that they may not. */
  const allowed = async (ask: (token: string) => Promise<Wrapper<unknown>>) => {
    const answers = await Promise.all(everybody.map(async (person) => [person, (await ask(tokens[person])).StatusCode] as const))
    return answers
      .filter(([, status]) => status !== 403)
      .map(([person]) => person)
      .join('')
  }
  const seen = async (person: Person, tell: (page: typeof at.page) => Promise<void>) => {
    const browser = await openBrowser(at.penstock.origin, { known: [accounts[person]] })
    try {
      await signIn(browser.page, at.penstock.origin, accounts[person], password)
      await tell(browser.page)
      expect(browser.problems, people[person]).toEqual([])
    } finally {
      await browser.close()
    }
  }

  it('lists are read, added to and acted on by those roles alone', async () => {
    const found: typeof lists = {}
    for (const path of Object.keys(lists)) {
      const reads = await allowed((token) => door.call(token, 'GET', `${path}/List?PageSize=1`))
      found[path] = [reads, lists[path]![1] && (await allowed((token) => door.call(token, 'POST', path, {})))]
    }
    expect(found).toEqual(lists)
    const done: typeof acts = {}
    for (const path of Object.keys(acts)) done[path] = await allowed((token) => door.call(token, 'POST', path, {}))
    expect(done).toEqual(acts)
  })

  it.each(everybody)('%s: screens open, or are not there', async (person) => {
    const looksOnly = person === 'V' || person === 'A'
    const own = Object.entries(screens).filter(([, [, sees]]) => sees.includes(person))
    const asked = [...(looksOnly ? own : own.slice(-3)), ...Object.entries(screens).filter(([, [, sees]]) => !sees.includes(person))]
    await seen(person, async (page) => {
      // Agents have no home screen and begin at the first that they have.
      const first = person === 'A' ? 'Gateway positions' : 'Home'
      await pane(page).getByRole('heading', { level: 1, name: first }).waitFor()
      for (const [path, [heading, sees]] of asked) {
        await visit(page, path)
        if (!sees.includes(person)) {
          await pane(page).getByText('Page not found').first().waitFor()
          continue
        }
        await pane(page).getByRole('heading', { level: 1, name: heading }).waitFor()
        if (!looksOnly) continue
        await expectFits(page)
        const buttons = await pane(page).getByRole('button').filter({ visible: true }).allTextContents()
        expect(
          buttons.filter((name) => changes.test(name)),
          path,
        ).toEqual([])
      }
      if (person === 'A') await expectAccessible(page)
    })
  })
})
