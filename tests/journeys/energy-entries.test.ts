// What people enter about energy: amounts by keyboard, and a day of prices that is painted.
import { beforeAll, expect, it } from 'vitest'
import { openFrontDoor, until } from '../front-door.ts'
import { dialog, expectAccessible, expectFits, journey, pane, visit } from './browser.ts'

type Rows<T> = { Items: T[] }
const env = { PENSTOCK_DEMO_HISTORY: '3', LC_ALL: 'ja_JP.UTF-8' }
journey('what is entered about energy', { env, language: 'ja' }, (at) => {
  let door: Awaited<ReturnType<typeof openFrontDoor>>
  let ProjectId: number
  beforeAll(async () => {
    door = await openFrontDoor(at.penstock.origin)
    const { Items } = await door.data<Rows<{ Id: number }>>('GET', '/Project/Project/List')
    ProjectId = Items[0]!.Id
    // A company that has circuits gets none of the demo's.
    await until('the circuits of the demo', async () => {
      const circuits = await door.data<Rows<{ EnergyCode: string }>>('GET', '/Energy/Info/List?PageSize=50')
      return circuits.Items.some(({ EnergyCode }) => EnergyCode === 'E13')
    })
  }, 300_000)

  it('the ledger is filled in by keyboard alone: what is no number is refused at its place, and the rest is kept', async () => {
    const { page } = at
    await door.data('POST', '/Energy/Info', { EnergyName: '重油', EnergyCode: 'H1', EnergyType: 1, ProjectId, Source: 2 })
    const entered = async () => (await door.data<Rows<{ Value: number }>>('GET', '/Energy/InfoData/List')).Items.map(({ Value }) => Value)
    await visit(page, `/energyManagement/energyAccount?ProjectId=${ProjectId}&of=2026-09`)
    const cell = (row: number) => pane(page).locator(`input[data-at="${row} 0"]`)
    await cell(0).focus()
    for (const text of ['12.5', 'abc', '14']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    }
    await until('two amounts', async () => (await entered()).length === 2)
    expect((await entered()).sort()).toEqual([12.5, 14])
    expect(await cell(1).getAttribute('aria-invalid')).toBe('true')
    await cell(1).focus()
    await page.keyboard.press('Escape')
    await page.keyboard.type('13')
    await page.keyboard.press('ArrowUp')
    await until('three amounts', async () => (await entered()).length === 3)
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await page.setViewportSize({ width: 1440, height: 900 })
  }, 300_000)

  it('a night that is painted as the peak makes the month dearer, and the form says by how much before it is saved', async () => {
    const { page } = at
    const cost = async () =>
      (await door.data<{ Kinds: { Month: { Cost: number | null } }[] }>('GET', `/Energy/DataCenter/MonthStatistics?ProjectId=${ProjectId}`))
        .Kinds[0]?.Month.Cost
    const before = await until('what the month costs', async () => (await cost()) || undefined)
    await visit(page, '/powerManagement/electricityPrice')
    await pane(page).getByRole('row').filter({ hasText: '6.1 kV' }).getByRole('button').last().click()
    await page.locator('.ant-dropdown:visible').getByRole('menuitem', { name: '編集' }).click()
    const form = dialog(page).last()
    const strip = form.getByRole('slider').first()
    await strip.scrollIntoViewIfNeeded()
    const box = (await strip.boundingBox())!
    const across = async (share: number) => page.mouse.move(box.x + share * box.width, box.y + box.height / 2)
    await across(0.001)
    await page.mouse.down()
    await across(0.15)
    await across(0.32)
    await page.mouse.up()
    await form.getByRole('button', { name: '変化を表示' }).click()
    await form.getByRole('region', { name: 'この料金による変化' }).getByRole('listitem').filter({ hasText: '構内全体' }).first().waitFor()
    await expectAccessible(page, '.ant-drawer')
    await form.getByRole('button', { name: '保存' }).click()
    await form.waitFor({ state: 'hidden' })
    const after = await until('the month at its new prices', async () => {
      const now = await cost()
      return now && now > before * 1.05 ? now : undefined
    })
    // Eight hours of workdays at twice the price. In the first night of a month these are all, and the meter goes on between the two looks.
    expect(after).toBeLessThan(before * 2.1)
  }, 300_000)
})
