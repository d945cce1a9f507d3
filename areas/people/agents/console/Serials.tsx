import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { SerialList } from './SerialList.tsx'

const Serials = () => {
  const t = useWords()
  return (
    <Page title={t('menu.m12005')}>
      <SerialList />
    </Page>
  )
}
export default Serials
