import type { ListProps } from '../../../../console/kernel/ResourceList.tsx'
import { Shape } from '../../../../console/theme/State.tsx'
import { none, numberText, shareText } from '../../../../console/words/formats.ts'
import { language } from '../../../../console/words/words.ts'
import type { LateFigure, reportRun } from '../contract.ts'
import { bytesText } from './bytesText.ts'
import { lateText, movedFigures } from './lateText.ts'

export const cells: ListProps<typeof reportRun>['cells'] = {
  FileName: ({ FileName, ScheduleName }) => FileName ?? String(ScheduleName ?? '–'),
  // With the figure that moved furthest; the details have all.
  LatePoints: ({ LatePoints, Late }, t) => {
    if (!LatePoints) return none
    const [first] = movedFigures((Late ?? []) as LateFigure[])
    return (
      <div>
        <Shape is="warning" /> {t('reportRun.late', { count: LatePoints })}
        {first && <div className="faint">{lateText(first, t)}</div>}
      </div>
    )
  },
  Coverage: ({ Coverage }) => (Coverage === null ? none : shareText(Coverage, language())),
  // The details show when it began and ended.
  Duration: ({ Duration }) => (Duration === null ? none : `${numberText(Duration, 1, language())} s`),
  FileBytes: ({ FileBytes }) => (FileBytes === null ? none : bytesText(FileBytes)),
}
