// A device made for ThingsBoard is pointed here and adopted; an unknown JSON is pasted, mapped and assigned.

import mqtt from 'mqtt'
import { beforeAll, expect, it } from 'vitest'
import { openFrontDoor } from '../front-door.ts'
import { dialog, expectAccessible, expectFits, journey, pane, settled, visit } from './browser.ts'

const options = '.ant-select-dropdown:visible .ant-select-item-option'

journey('external senders', { company: true, target: '/protocolManagement/networkPlugin' }, (at) => {
  let door: Awaited<ReturnType<typeof openFrontDoor>>
  let token = ''
  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    await door.data('POST', '/Project/Project', { ProjectName: 'Works', EnterpriseId: await door.ensureCompany() })
  })

  it('an external sender is added, and its page says what to paste', async () => {
    const { page } = at
    await pane(page).getByRole('button', { name: 'Add external sender' }).first().click()
    const form = dialog(page, 'Add external sender')
    await form.getByLabel('Name').fill('Roof')
    await form.getByLabel('Project').click()
    await page.locator(options).filter({ hasText: 'Works' }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await pane(page).getByRole('heading', { name: 'How do I connect?' }).waitFor()
    const line = await pane(page).locator('pre').first().textContent()
    token = /-u '([^']+)'/.exec(line ?? '')![1]!
    expect(line).toContain(`-p ${at.penstock.mqttPort}`)
    await pane(page).getByText('Waiting for the first message').first().waitFor()
    await expectAccessible(page)
  })

  it('the first message lights up, and what it brought becomes points with one click', async () => {
    const { page } = at
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${at.penstock.mqttPort}`, { username: token, reconnectPeriod: 0 })
    const send = () => client.publishAsync('v1/devices/me/telemetry', '{"temperature": 21.5, "humidity": 48}', { qos: 1 })
    await send()
    await pane(page).locator('.sender-heard').waitFor()
    await pane(page).getByRole('button', { name: 'Make 2 points' }).click()
    await page.getByText('Points added: 2.').waitFor()
    await send()
    await client.endAsync()
    await pane(page).getByText('Every value that arrives has a point.').waitFor()
    const points = await door.data<{ Items: { ParaName: string; Address: string }[] }>('GET', '/V2/Project/DevPara/List?PageSize=10')
    expect(points.Items.map(({ Address }) => Address).sort()).toEqual(['humidity', 'temperature'])
    await expectAccessible(page)
  })

  it('an unknown JSON is pasted, its paths become rules, and the parser is assigned to the project', async () => {
    const { page } = at
    await visit(page, '/protocolManagement/dataParse')
    await pane(page).getByRole('button', { name: 'Add parser' }).first().click()
    const form = dialog(page, 'New parser')
    await form.getByLabel('Name').fill('Lines')
    await form.getByRole('button', { name: 'Save' }).click()
    await pane(page).getByRole('heading', { name: 'Lines' }).waitFor()
    const sample = {
      line: 'A',
      at: 1763596800,
      data: [
        { id: 'Pump 1', bar: 4.2 },
        { id: 'Pump 2', bar: 3.9 },
      ],
    }
    await pane(page).getByLabel('Sample message').fill(JSON.stringify(sample))
    await pane(page).getByRole('button', { name: 'Add a rule for data[*].bar' }).click()
    await pane(page).getByRole('button', { name: 'Remove rule 1' }).click()
    // A path that is dropped on the device, and one that is typed.
    const device = pane(page).getByRole('combobox', { name: '1: Device' })
    await device.click()
    await page.locator(options).filter({ hasText: 'From the message' }).click()
    await pane(page)
      .locator('.parse-paths li')
      .filter({ hasText: 'data[*].id' })
      .dragTo(pane(page).getByLabel('1: Device, From the message'))
    await pane(page).getByLabel('1: Time', { exact: true }).fill('at')
    await pane(page).getByRole('combobox', { name: '1: Unit of the time' }).click()
    await page
      .locator(options)
      .filter({ hasText: /^seconds$/ })
      .click()
    await pane(page).getByText('2 readings').waitFor()
    await pane(page).getByRole('cell', { name: 'Pump 2' }).waitFor()
    await pane(page).getByRole('cell', { name: '2025-11-20 01:00:00' }).first().waitFor()
    await expectAccessible(page)
    await pane(page).getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved as version 2').waitFor()
    await pane(page).getByRole('link', { name: 'Assign to projects' }).click()
    await pane(page).getByLabel('Projects').click()
    await page.locator(options).filter({ hasText: 'Works' }).click()
    await page.keyboard.press('Escape')
    await pane(page).getByRole('button', { name: 'Assign', exact: true }).click()
    await pane(page).getByRole('cell', { name: 'Works', exact: true }).waitFor()
    await expectAccessible(page)
  })

  it('all of it fits a phone', async () => {
    const { page } = at
    await page.setViewportSize({ width: 390, height: 844 })
    for (const address of ['networkPlugin?Id=1', 'networkPlugin', 'dataParse?Id=1', 'dataParse', 'assignProject?DataParseId=1']) {
      await visit(page, `/protocolManagement/${address}`)
      await settled(page)
      await expectFits(page)
    }
    expect(at.browser.problems).toEqual([])
  })
})
