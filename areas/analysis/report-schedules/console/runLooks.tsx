import type { ListProps } from '../../../../console/kernel/ResourceList.tsx'
import { Shape } from '../../../../console/theme/State.tsx'
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
      ''
    ),
  Coverage: ({ Coverage }) => (Coverage === null ? '' : percentText(Coverage, language())),
  FileBytes: ({ FileBytes }) => (FileBytes === null ? '' : bytesText(FileBytes)),
}
