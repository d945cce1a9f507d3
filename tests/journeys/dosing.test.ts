// Dosing from the ledger to the next order: amounts typed by keyboard, a delivery, and the days that the stock lasts, in four languages.
import { expect, it } from 'vitest'
import { openFrontDoor, password } from '../front-door.ts'
import { dialog, expectAccessible, expectFitsPhones, journey, pane, visit } from './browser.ts'
import { handsOf } from './hands.ts'

const day = 86_400_000
const dayOf = (ago: number) => new Date(Date.now() - ago * day).toISOString().slice(0, 10)
const screens = [
  '/drugManagement/medicineOverView',
  '/drugManagement/drugRecord',
  '/drugManagement/deliveries',
  '/drugManagement/drugReport',
  '/drugManagement/drugAccount',
]

journey('dosing', { company: true, env: { PENSTOCK_DEMO: 'off', PENSTOCK_MQTT_PORT: '0' } }, (at) => {
  const { add, choose } = handsOf(at)
  let id = 0

  it('amounts are typed by keyboard, taken back, and typed again', async () => {
    const { page, penstock } = at
    const door = await openFrontDoor(penstock.origin)
    const EnterpriseId = await door.ensureCompany()
    const { Id: ProjectId } = await door.data('POST', '/Project/Project', { ProjectName: 'Works', EnterpriseId })
    const chemical = { DrugName: 'Hypochlorite', DrugCode: 'H1', ProjectId, LeadDays: 3, TankSize: 1000 }
    id = (await door.data('POST', '/Drug/Info', chemical)).Id
    // Four weeks of 10 kg a day; yesterday is missing.
    const Cells = Array.from({ length: 28 }, (_, i) => ({ DrugInfoId: id, Time: dayOf(i + 2), Value: 10 }))
    await door.data('POST', '/Drug/InfoData/Ledger', { Cells })

    await visit(page, `/drugManagement/drugAccount?of=${dayOf(1).slice(0, 7)}`)
    const cell = () => pane(page).getByRole('textbox', { name: `Hypochlorite ${dayOf(1)}` })
    await cell().focus()
    await page.keyboard.type('1x')
    await page.keyboard.press('Enter')
    await pane(page)
      .getByText(`Hypochlorite, ${dayOf(1)}`)
      .waitFor()
    await cell().focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('12')
    await page.keyboard.press('Enter')
    const stored = async () => {
      const { Items } = await door.data<{ Items: { DataTime: string; Value: number }[] }>(
        'GET',
        `/Drug/InfoData/List?DrugInfoId=${id}&PageSize=100`,
      )
      return Items.find(({ DataTime }) => DataTime.startsWith(dayOf(1)))?.Value
    }
    await expect.poll(stored).toBe(12)
    await expectAccessible(page)
    await pane(page).getByRole('button', { name: 'Undo' }).press('Enter')
    await expect.poll(stored).toBeUndefined()
    await expect.poll(() => cell().inputValue()).toBe('')
    await cell().focus()
    await page.keyboard.type('10')
    await page.keyboard.press('Enter')
    await expect.poll(stored).toBe(10)
  }, 200_000)

  it('a new chemical begins with the next free code', async () => {
    const { page } = at
    await visit(page, screens[1]!)
    await add('chemical')
    const form = dialog(page, 'Add chemical')
    await expect.poll(() => form.getByLabel('Code', { exact: true }).inputValue()).toMatch(/^[A-Z]+\d+$/)
    await expectAccessible(page, '.ant-drawer')
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'hidden' })
  }, 200_000)

  it('a delivery fills the stock, and the overview says until when it lasts and when to order', async () => {
    const { page } = at
    await visit(page, screens[2]!)
    await add('delivery')
    const form = dialog(page, 'Add delivery')
    await choose(form, 'Chemical', 'Hypochlorite')
    await form.getByLabel('Delivered').fill(`${dayOf(0)} 00:00:00`)
    await page.keyboard.press('Enter')
    await form.getByLabel('Batch', { exact: true }).fill('B-77')
    await form.getByLabel('Quantity').fill('200')
    await expectAccessible(page, '.ant-modal, .ant-drawer')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'hidden' })
    await pane(page).getByRole('row').filter({ hasText: 'B-77' }).getByText('200').waitFor()

    await visit(page, screens[0]!)
    const card = pane(page).getByRole('button', { name: /Hypochlorite/ })
    await card.getByText(/^Order by \d{4}-\d{2}-\d{2}$/).waitFor()
    // 200 kg at 10 kg a day are 20 days; today is under way.
    await card
      .getByText(/(19|20|21)(\.\d)? days/)
      .first()
      .waitFor()
    await expectAccessible(page)
  }, 200_000)

  it('is read on a phone without scrolling sideways, in the other languages', async () => {
    await expectFitsPhones(at.penstock.origin, password, screens)
  }, 400_000)
})
