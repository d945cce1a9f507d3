// A protocol from a vendor's PDF is described, tested with a pasted answer, and saved; plugins say what each can do.
import { expect, it } from 'vitest'
import { dialog, expectAccessible, expectFits, journey, pane, settled, visit } from './browser.ts'

journey('described protocols', { company: true, target: '/protocolManagement/selfParse' }, (at) => {
  it('a description begins with a template, reads a pasted answer, and is corrected while typing', async () => {
    const { page } = at
    await pane(page).getByRole('button', { name: 'Add described protocol' }).first().click()
    const form = dialog(page, 'New described protocol')
    await form.getByLabel('Name').fill('Scale')
    await form.getByRole('button', { name: 'Save' }).click()
    await pane(page).getByRole('heading', { name: 'Scale' }).waitFor()
    await pane(page).getByText('01 03 00 00 00 02 C4 0B').waitFor()
    await pane(page).locator('dd', { hasText: '25' }).waitFor()
    await pane(page).getByLabel('1: Sends').fill('{addr} 0z')
    await pane(page).getByText('Not a frame: character 8').waitFor()
    await pane(page).getByLabel('1: Sends').fill('{addr} 03 00 10 00 02 {crc}')
    await pane(page).getByText('01 03 00 10 00 02').waitFor()
    await pane(page).getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await settled(page)
    await expectAccessible(page)
  })

  it('plugins say what each can do, and the screens fit a phone', async () => {
    const { page } = at
    await visit(page, '/protocolManagement/protocolPlugin')
    await pane(page).getByText('Modbus TCP').first().waitFor()
    await settled(page)
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    for (const address of ['protocolPlugin', 'selfParse', 'selfParse?Id=1']) {
      await visit(page, `/protocolManagement/${address}`)
      await settled(page)
      await expectFits(page)
    }
    expect(await pane(page).getByRole('heading', { name: 'Scale' }).count()).toBe(1)
  })
})
