import { Link } from 'react-router'
import { Page } from '../../app/Page.tsx'
import { useMay } from '../../session/session.ts'
import { useWords } from '../../words/words.ts'
import { DeviceTable } from './DeviceTable.tsx'

const DeviceList = () => {
  const t = useWords()
  const maySee = useMay('m10110')
  return (
    <Page title={t('menu.m10103')} actions={maySee && <Link to="/projectManagement/pointTempManagement">{t('menu.m10110')}</Link>}>
      <DeviceTable />
    </Page>
  )
}
export default DeviceList
