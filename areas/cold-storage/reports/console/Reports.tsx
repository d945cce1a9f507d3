import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { useAddress } from '../../../../console/shell/useAddress.ts'
import { reports } from './index.ts'

const List = lazyScreen(reports)
const Report = lazyScreen(() => import('./Report.tsx'))
const Wizard = lazyScreen(() => import('./Wizard.tsx'))

/** Reports of cold rooms; with an Id in the address one of them, and with `new` the preparation of one. */
const Reports = () => {
  const [params] = useAddress()
  if (params.has('new')) return <Wizard />
  return params.has('Id') ? <Report /> : <List />
}
export default Reports
