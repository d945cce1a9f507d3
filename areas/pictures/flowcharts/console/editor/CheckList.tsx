import { CheckCircleOutlined, WarningFilled } from '@ant-design/icons'
import { Button } from 'antd'
import { useWords } from '../../../../../console/words/words.ts'
import type { Finding } from './findings.ts'

type Props = { findings: readonly Finding[]; nameOf: (item: string) => string; choose: (item: string) => void }
/** Findings to review before publishing; each links to its item. */
export const CheckList = ({ findings, nameOf, choose }: Props) => {
  const t = useWords()
  if (!findings.length)
    return (
      <p className="soft">
        <CheckCircleOutlined aria-hidden /> {t('check.none')}
      </p>
    )
  return (
    <ul className="edit-checks" aria-label={t('edit.checks')}>
      {findings.slice(0, 200).map(({ item, rule, values, isError }, i) => (
        <li key={`${item} ${rule} ${i}`}>
          <WarningFilled
            className={isError ? 'edit-error' : 'edit-advice'}
            role="img"
            aria-label={t(isError ? 'check.error' : 'check.advice')}
          />
          <span>
            {item && (
              <Button type="link" size="small" onClick={() => choose(item)}>
                {nameOf(item)}
              </Button>
            )}{' '}
            {t(rule, values)}
          </span>
        </li>
      ))}
      {findings.length > 200 && <li className="soft">{t('check.more', { count: findings.length - 200 })}</li>}
    </ul>
  )
}
