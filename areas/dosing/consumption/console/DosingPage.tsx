import type { ReactNode } from 'react'
import { PeriodPicker } from '../../../../console/chart/PeriodPicker.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { To } from '../../../../console/shell/To.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { project } from '../../../configuration/projects/contract.ts'
import type { Dosing } from './useDosing.ts'
import './dosing.css'

const ways = [
  ['m10722', '/drugManagement/drugRecord'],
  ['m10725', '/drugManagement/deliveries'],
  ['m10724', '/drugManagement/drugAccount'],
  ['m10723', '/drugManagement/drugReport'],
] as const
const Way = ({ code, path }: { code: string; path: string }) => {
  const t = useWords()
  return useMay(code) ? <To to={path}>{t(`menu.${code}`)}</To> : null
}

type Props = { code: string; dosing: Dosing; period?: boolean; tools?: ReactNode; children: ReactNode }
/** The frame of a screen of dosing: project and period above, and the way to the other screens. */
export const DosingPage = ({ code, dosing, period = true, tools, children }: Props) => {
  const t = useWords()
  const { hasProjects, projectId, put, of, set, today } = dosing
  return (
    <Page
      title={t(`menu.${code}`)}
      actions={
        <span className="dosing-ways">
          {ways
            .filter(([own]) => own !== code)
            .map(([own, path]) => (
              <Way key={own} code={own} path={path} />
            ))}
        </span>
      }
    >
      {(hasProjects || period || tools) && (
        <search className="search-bar">
          {hasProjects && (
            <span className="search-filter">
              <RefInput
                to={project}
                value={projectId ?? null}
                aria-label={t('project')}
                onChange={(ProjectId) => put({ ProjectId: ProjectId ?? undefined, node: undefined })}
              />
            </span>
          )}
          {period && <PeriodPicker of={of} spans={['day', 'week', 'month', 'year', 'range']} today={today} set={set} />}
          {tools}
        </search>
      )}
      {children}
    </Page>
  )
}
