import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files in which time passes run first, the shortest before the others: every subscriber who signed up before gets a text
 * each day, and all files share one stack.
 */
export class DaysFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const texts = new Map(files.map((file) => [file, readFileSync(file.moduleId, 'utf8')]));
    const lengthOf = (file: TestSpecification) => texts.get(file)?.length ?? 0;
    const passing = files.filter((file) => texts.get(file)?.includes('product.advance'));
    const others = files.filter((file) => !passing.includes(file));
    return [
      ...passing.toSorted((a, b) => lengthOf(a) - lengthOf(b)),
      ...(await super.sort(others)),
    ];
  }
}
