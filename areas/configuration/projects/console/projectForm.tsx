import type { FormProps } from '../../../../console/kernel/ResourceForm.tsx'
import { PositionMap } from '../../../pictures/maps/console/index.ts'

export const below: FormProps['below'] = () => <PositionMap />
