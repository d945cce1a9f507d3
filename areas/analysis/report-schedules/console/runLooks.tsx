import type { ListProps } from '../../../../console/kernel/ResourceList.tsx'
import { Shape } from '../../../../console/theme/State.tsx'
import { none } from '../../../../console/words/formats.ts'
import { language } from '../../../../console/words/words.ts'
import { percentText } from '../../reports/text.ts'
import type { reportRun } from '../contract.ts'
import { bytesText } from './bytesText.ts'

export const cells: ListProps<typeof reportRun>['cells'] = {
  FileName: ({ FileName, ScheduleName }) => FileName ?? String(ScheduleName ?? '–'),
  LatePoints: ({ LatePoints }, t) =>
    LatePoints > 0 ? (
      <span>
        <Shape is="warning" /> {t('reportRun.late', { count: LatePoints })}
      </span>
    ) : (
      none
    ),
  Coverage: ({ Coverage }) => (Coverage === null ? none : percentText(Coverage, language())),
  FileBytes: ({ FileBytes }) => (FileBytes === null ? none : bytesText(FileBytes)),
}
