import { Page } from '../../app/Page.tsx'
import { useWords } from '../../words/words.ts'
import { DeviceTable } from './DeviceTable.tsx'

const DeviceList = () => {
  const t = useWords()
  return (
    <Page title={t('menu.m10103')}>
      <DeviceTable />
    </Page>
  )
}
export default DeviceList
