import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Input, Select } from 'antd'
import type { ReactNode } from 'react'
import type { Static } from 'typebox'
import { useCall } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { type ActionExecution, alarmRuleCalls, type DeviceControl } from '../contract.ts'
import { Fault, stateOf, useFaults } from './Field.tsx'
import { OrderFields } from './OrderFields.tsx'
import { peopleOptions } from './pushDraft.ts'
import type { Points } from './usePoints.ts'
import { WriteFields } from './WriteFields.tsx'

export type Effects = { DeviceControl: Static<typeof DeviceControl>; ActionExecution: Static<typeof ActionExecution> }
type Props = { value: Effects; onChange: (part: Partial<Effects>) => void; points: Points; project: number | undefined }

const replaced = <T,>(list: readonly T[], at: number, next: T): T[] => list.map((x, i) => (i === at ? next : x))

/** Actions when the alarm is raised: write points, call an address, notify people. */
export const ActionFields = ({ value, onChange, points, project }: Props) => {
  const t = useWords()
  const fault = useFaults()
  const mayWrite = useMay('m10104.write')
  const users = useCall(alarmRuleCalls.users, { query: project ? { ProjectId: project } : {}, of: ['user'] })
  const { DeviceControl: writes, ActionExecution: actions } = value
  const wrote = (next: Effects['DeviceControl']) => onChange({ DeviceControl: next })
  const acted = (next: Effects['ActionExecution']) => onChange({ ActionExecution: next })
  const errors = (path: string, ...names: string[]) =>
    [...new Set(['', ...names.map((name) => `.${name}`)].flatMap((name) => fault(path + name) ?? []))].map((text) => (
      <Fault key={text}>{text}</Fault>
    ))
  const row = (key: string, name: string, remove: () => void, children: ReactNode) => (
    <div key={key} className="rule-words">
      {children}
      <Button type="text" icon={<DeleteOutlined />} aria-label={t('rules.removeAction', { name })} onClick={remove} />
    </div>
  )
  return (
    <div className="rule-enable">
      {writes.map((w, i) =>
        row(
          `w${i}`,
          t('rules.writes'),
          () => wrote(writes.filter((_, k) => k !== i)),
          <>
            <WriteFields value={w} onChange={(part) => wrote(replaced(writes, i, { ...w, ...part }))} points={points} project={project} />
            {errors(`DeviceControl.${i}`, 'ParaId', 'Value', 'DelayS')}
          </>,
        ),
      )}
      {actions.map((a, i) =>
        row(
          `a${i}`,
          t(`rules.action.${a.Type}`),
          () => acted(actions.filter((_, k) => k !== i)),
          <>
            <span>{t(`rules.action.${a.Type}`)}</span>
            {a.Type === 1 ? (
              <OrderFields value={a} onChange={(next) => acted(replaced(actions, i, next))} project={project} />
            ) : a.Type === 3 ? (
              <Input
                value={a.Url ?? ''}
                placeholder="https://"
                maxLength={2000}
                aria-label={t('rules.action.3')}
                {...stateOf(fault(`ActionExecution.${i}.Url`))}
                onChange={(e) => acted(replaced(actions, i, { ...a, Url: e.target.value.trim() }))}
                style={{ flex: '1 1 200px', minWidth: 0, maxWidth: 480 }}
              />
            ) : (
              <>
                <Select<number[]>
                  mode="multiple"
                  showSearch={{ optionFilterProp: 'label' }}
                  value={a.PushUsers ?? []}
                  placeholder={t('rules.choosePeople')}
                  aria-label={t('rules.pushUsers')}
                  {...stateOf(fault(`ActionExecution.${i}.PushUsers`))}
                  options={peopleOptions(users.data, a.PushUsers)}
                  onChange={(PushUsers) => acted(replaced(actions, i, { ...a, PushUsers }))}
                  style={{ minWidth: 200 }}
                />
                <Input
                  value={a.Text ?? ''}
                  maxLength={500}
                  placeholder={t('rules.noticeText')}
                  aria-label={t('rules.noticeText')}
                  onChange={(e) => acted(replaced(actions, i, { ...a, Text: e.target.value }))}
                  style={{ width: 260 }}
                />
              </>
            )}
            {errors(`ActionExecution.${i}`, 'Type', 'UserId', 'TeamId', 'DepartmentId', 'Url', 'PushUsers', 'Text')}
          </>,
        ),
      )}
      {!mayWrite && <span className="soft">{t('rules.mayNotWrite')}</span>}
      <div className="rule-words">
        {mayWrite && (
          <Button size="small" icon={<PlusOutlined />} onClick={() => wrote([...writes, { ParaId: 0, Value: 0 }])}>
            {t('rules.addWrite')}
          </Button>
        )}
        {([1, 3, 5] as const)
          .filter((Type) => Type !== 1 || !actions.some((a) => a.Type === 1))
          .map((Type) => (
            <Button
              key={Type}
              size="small"
              icon={<PlusOutlined />}
              onClick={() => acted([...actions, Type === 1 ? { Type } : Type === 3 ? { Type, Url: '' } : { Type, PushUsers: [] }])}
            >
              {t(`rules.addAction.${Type}`)}
            </Button>
          ))}
      </div>
    </div>
  )
}
