declare module 'graphql-depth-limit' {
  import type { ASTVisitor, ValidationContext } from 'graphql';

  /** @param maxDepth number of steps between levels: one less than the number of levels */
  export default function depthLimit(maxDepth: number): (context: Pick<ValidationContext, 'getDocument' | 'reportError'>) => ASTVisitor;
}
