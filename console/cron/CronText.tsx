import { zoneText } from '../words/formats.ts'
import { language } from '../words/words.ts'
import { describeCron } from './describe.ts'
import { useCronZone } from './zone.ts'

/** A schedule in words, with its time zone if that differs from the reader's. */
export const CronText = ({ expression }: { expression: string }) => (
  <span title={expression}>
    {describeCron(expression, language())}
    {zoneText(useCronZone())}
  </span>
)
