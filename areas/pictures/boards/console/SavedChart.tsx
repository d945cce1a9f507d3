import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { ChartOfBoard } from '../../../analysis/data-analysis/console/charts/ChartOfBoard.tsx'
import type { WidgetProps } from './Widget.tsx'

/** A saved chart with its own time range. */
const SavedChart = ({ widget, height }: WidgetProps) => {
  const t = useWords()
  const may = useMay('m10319')
  if (!widget.Chart) return <p className="board-note soft">{t('board.noChart')}</p>
  return may ? <ChartOfBoard id={widget.Chart} height={height} /> : <EmptyList text={t('board.withheld')} />
}
export default SavedChart
