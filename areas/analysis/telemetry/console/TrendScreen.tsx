import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { Trend } from './Trend.tsx'

/** The trend of any points. */
const TrendScreen = () => {
  const t = useWords()
  return (
    <Trend
      around={(actions, chart) => (
        <Page title={t('menu.m10301')} actions={actions}>
          {chart}
        </Page>
      )}
    />
  )
}
export default TrendScreen
