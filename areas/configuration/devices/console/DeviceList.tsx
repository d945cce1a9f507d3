import { Link } from 'react-router'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
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
